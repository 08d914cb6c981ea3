# The script roll for Windows, beside roll.jar; roll.cmd calls it from any shell. Never run on Windows. Temporary files
# stay in the system's folder: only a process that takes the place of this script has the number that is the folder's name.
$ErrorActionPreference = 'Stop'
$least = 25

function Stop-Roll($line) {
  [Console]::Error.WriteLine("roll: $line")
  exit 1
}

function Test-Jdk($folder) {
  if (-not $folder -or -not (Test-Path "$folder\bin\javac.exe") -or -not (Test-Path "$folder\release")) { return $false }
  $version = Select-String -Path "$folder\release" -Pattern '^JAVA_VERSION="(\d+)' | Select-Object -First 1
  return $version -and [int]$version.Matches[0].Groups[1].Value -ge $least
}

if ($env:ROLL_JAVA_HOME) {
  $jdk = $env:ROLL_JAVA_HOME
  if (-not (Test-Jdk $jdk)) { Stop-Roll "ROLL_JAVA_HOME=$jdk is not a JDK $least or newer" }
} else {
  $javac = Get-Command javac.exe -ErrorAction SilentlyContinue | Select-Object -First 1
  $places = @($env:JAVA_HOME)
  if ($javac) { $places += Split-Path (Split-Path $javac.Source) }
  $places += Get-ChildItem -Directory -ErrorAction SilentlyContinue `
    -Path "$env:ProgramFiles\*\jdk*", "$HOME\.jdks\*", "$HOME\scoop\apps\*jdk*\current" | ForEach-Object FullName
  $jdk = $places | Where-Object { Test-Jdk $_ } | Select-Object -First 1
  if (-not $jdk) { Stop-Roll "no JDK $least or newer found: install one, or set ROLL_JAVA_HOME" }
}
if ($args.Count -gt 0 -and $args[0] -eq '--jdk') {
  $jdk
  exit
}

$dist = $PSScriptRoot
$state = if ($env:ROLL_STATE) { $env:ROLL_STATE } else { $dist }
$short = 'version', '--version', 'help', '--help', '-h', 'services', 'check', 'plan', 'new', 'deploy', 'undeploy', 'search'
$compiler = '-XX:CompileThresholdScaling=5'
if ($args.Count -gt 0 -and $short -contains $args[0]) { $compiler = '-XX:TieredStopAtLevel=1' }
$own = @("$env:ROLL_JAVA_OPTS".Split(' ', [StringSplitOptions]::RemoveEmptyEntries))
$options = @(
  '--enable-native-access=ALL-UNNAMED', '--sun-misc-unsafe-memory-access=allow',
  '-XX:+UseSerialGC', $compiler, '-Djava.awt.headless=true', '-Dorg.jline.terminal.dumb=true',
  "-Droll.cache.dir=$state\cache", "-Droll.djl.native.dir=$dist\native", "-Droll.log.dir=$state\log",
  "-Droll.deploy.dir=$state\deploy", "-Dgosh.home=$dist"
)
& "$jdk\bin\java.exe" @options @own -jar "$dist\roll.jar" @args
exit $LASTEXITCODE
