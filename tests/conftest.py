"""What holds for all tests: generated examples are not timed, the machine may be busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("judgebench", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("judgebench")
