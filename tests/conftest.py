"""What holds for all tests: generated examples are the same every time and are not timed."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "judgebench",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("judgebench")
