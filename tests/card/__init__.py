"""Tests of what is measured of a judge: leanings, its card, drift, blindness."""
