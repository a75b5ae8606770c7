"""Result in, words and pages out."""
