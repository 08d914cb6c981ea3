package roll.sandbox.python_process;

import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;
import roll.api.sandbox.Isolation;

/**
 * The isolation of programs on this machine, probed by a process that is isolated like them.
 *
 * @param kept the resources of {@link #ALL} that are out of reach
 * @param means the active means of isolation
 * @param missing the means that the kernel refused, with reasons
 */
record IsolationReport(List<String> kept, String means, String missing) {
  static final List<String> ALL = List.of("files", "network", "processes");

  /** Parses the server's first line: three lists separated by tabs. */
  static IsolationReport of(String line) {
    String[] lists = line.split("\t", -1);
    if (lists.length != 3) {
      throw new UserException("the sandbox 'python_process' did not start: " + line);
    }
    return new IsolationReport(List.of(lists[0].split(", ")), lists[1], lists[2]);
  }

  /**
   * Refuses isolation weaker than {@code isolation} requires.
   *
   * @throws UserException if a required boundary is missing
   */
  void require(Isolation isolation) {
    if (isolation == Isolation.REQUIRED && !open().isEmpty()) {
      throw new UserException(
          "the sandbox 'python_process' cannot isolate programs from "
              + String.join(" and ", open())
              + " here; this machine lacks "
              + missing
              + "; 'isolation: best_effort' uses the available means, 'sandbox: python' runs"
              + " programs in this process");
    }
  }

  /** Describes the isolation in one line. */
  String line(Isolation isolation) {
    if (isolation == Isolation.NONE) {
      return "python_process: no isolation: programs reach files, network and processes";
    }
    String what =
        open().isEmpty()
            ? "programs reach no files, network or processes of this machine"
            : "programs REACH " + String.join(" and ", open()) + " of this machine";
    String lacking = missing.isEmpty() ? "" : "; missing: " + missing;
    return "python_process: " + what + " (" + means + lacking + ")";
  }

  private List<String> open() {
    List<String> open = new ArrayList<>(ALL);
    open.removeAll(kept);
    return open;
  }
}
