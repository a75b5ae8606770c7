"""Projects judged by finds: from the folder to the page."""
