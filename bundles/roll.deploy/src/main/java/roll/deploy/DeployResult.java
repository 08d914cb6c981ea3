package roll.deploy;

import java.util.List;
import roll.text.OneLine;

/**
 * What became of a jar.
 *
 * @param accepted whether it serves
 * @param lacks whether it is refused for want of something that may come
 * @param services filters of the services that it lacks; mostly none
 * @param line one line: what it offers, or why it is refused
 * @param serves what the older one offers that was put back in its place; mostly nothing
 */
record DeployResult(
    boolean accepted, boolean lacks, List<String> services, String line, String serves) {
  static DeployResult accepted(String line) {
    return new DeployResult(true, false, List.of(), OneLine.of(line), "");
  }

  static DeployResult refused(String line) {
    return new DeployResult(false, false, List.of(), OneLine.of(line), "");
  }

  /** Refused until something comes. */
  static DeployResult lacking(String line) {
    return lacking(List.of(), line);
  }

  /** Refused until services come, if their filters are known. */
  static DeployResult lacking(List<String> services, String line) {
    return new DeployResult(false, true, services, OneLine.of(line), "");
  }

  /** A refusal says which file. */
  DeployResult of(String file) {
    return accepted
        ? this
        : new DeployResult(
            false, lacks, services, OneLine.of("refused " + file + ": " + line), serves);
  }

  /** The same of a jar in whose place an older one serves on, if that one is accepted. */
  DeployResult insteadOf(DeployResult older) {
    return older.accepted()
        ? new DeployResult(accepted, lacks, services, line, older.line())
        : this;
  }

  /** All of it in one line. */
  String told() {
    return serves.isEmpty() ? line : line + "; what serves on is " + serves;
  }
}
