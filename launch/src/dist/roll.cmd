@powershell -NoProfile -ExecutionPolicy Bypass -File "%~dp0roll.ps1" %*
