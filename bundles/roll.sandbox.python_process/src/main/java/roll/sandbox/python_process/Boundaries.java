package roll.sandbox.python_process;

import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;
import roll.api.sandbox.Isolation;

/**
 * What programs are kept from on this machine, tried out by a process that is shut in as they are.
 *
 * @param kept of {@link #ALL} those that hold
 * @param means what shuts programs in
 * @param missing what the kernel refused, with its reasons
 */
record Boundaries(List<String> kept, String means, String missing) {
  static final List<String> ALL = List.of("files", "network", "processes");

  /** As the server's first line says: three lists with tabs between them. */
  static Boundaries of(String line) {
    String[] lists = line.split("\t", -1);
    if (lists.length != 3) {
      throw new UserException("the sandbox 'python_process' did not start: " + line);
    }
    return new Boundaries(List.of(lists[0].split(", ")), lists[1], lists[2]);
  }

  /**
   * Makes sure that all hold that {@code isolation} asks for.
   *
   * @throws UserException if one does not
   */
  void require(Isolation isolation) {
    if (isolation == Isolation.REQUIRED && !open().isEmpty()) {
      throw new UserException(
          "the sandbox 'python_process' cannot keep programs from "
              + String.join(" and ", open())
              + " here, for want of "
              + missing
              + "; 'isolation: best_effort' takes what there is, 'sandbox: python' runs programs in"
              + " this process");
    }
  }

  /** That, for people. */
  String line(Isolation isolation) {
    if (isolation == Isolation.NONE) {
      return "python_process: not shut in: programs reach files, network and processes";
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
