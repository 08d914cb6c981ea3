package roll.deploy;

import java.util.List;
import roll.text.OneLine;

/**
 * The result of deploying a jar.
 *
 * @param accepted whether the bundle is running
 * @param lacks whether it is refused because of a requirement that may be satisfied later
 * @param services filters of missing services, usually none
 * @param line one line: what it provides, or why it is refused
 * @param serves what the restored older version provides, usually empty
 */
record DeployResult(
    boolean accepted, boolean lacks, List<String> services, String line, String serves) {
  static DeployResult accepted(String line) {
    return new DeployResult(true, false, List.of(), OneLine.of(line), "");
  }

  static DeployResult refused(String line) {
    return new DeployResult(false, false, List.of(), OneLine.of(line), "");
  }

  /** Refused until a requirement is satisfied. */
  static DeployResult lacking(String line) {
    return lacking(List.of(), line);
  }

  /** Result of a jar that is refused until services with these filters are available. */
  static DeployResult lacking(List<String> services, String line) {
    return new DeployResult(false, true, services, OneLine.of(line), "");
  }

  /** Returns this result with the file name in a refusal. */
  DeployResult of(String file) {
    return accepted
        ? this
        : new DeployResult(
            false, lacks, services, OneLine.of("refused " + file + ": " + line), serves);
  }

  /** Returns this refusal with the older version that keeps running, if it was accepted. */
  DeployResult insteadOf(DeployResult older) {
    return older.accepted()
        ? new DeployResult(accepted, lacks, services, line, older.line())
        : this;
  }

  /** Returns the whole result in one line. */
  String told() {
    return serves.isEmpty() ? line : line + "; still running: " + serves;
  }
}
