package roll.sandbox;

import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;
import roll.api.sandbox.Isolation;

/**
 * The isolation of programs on this machine, probed by a process that is isolated like them.
 *
 * @param names the names in messages
 * @param kept the resources of {@link #ALL} that are out of reach
 * @param means the active means of isolation
 * @param missing the means that the kernel refused, with reasons
 */
public record IsolationReport(Names names, List<String> kept, String means, String missing) {
  /** All resources that are probed. */
  public static final List<String> ALL = List.of("files", "network", "processes");

  /**
   * The names in messages.
   *
   * @param kind of service, such as {@code sandbox}
   * @param name of the service
   * @param programs noun for those that are isolated
   */
  public record Names(String kind, String name, String programs) {
    @Override
    public String toString() {
      return "the " + kind + " '" + name + "'";
    }
  }

  /**
   * Parses the first line of a server: three lists separated by tabs.
   *
   * @throws UserException if it is something else
   */
  public static IsolationReport of(Names names, String line) {
    String[] lists = line.split("\t", -1);
    if (lists.length != 3) {
      throw new UserException(names + " did not start: " + line);
    }
    return new IsolationReport(names, List.of(lists[0].split(", ")), lists[1], lists[2]);
  }

  /**
   * Refuses isolation weaker than {@code isolation} requires.
   *
   * @param alternatives what else the user may choose, the end of the message
   * @throws UserException if a required boundary is missing
   */
  public void require(Isolation isolation, String alternatives) {
    if (isolation == Isolation.REQUIRED && !open().isEmpty()) {
      throw new UserException(
          names
              + " cannot isolate "
              + names.programs()
              + " from "
              + String.join(" and ", open())
              + " here; this machine lacks "
              + missing
              + "; 'isolation: best_effort' uses the available means"
              + alternatives);
    }
  }

  /** Describes the isolation in one line. */
  public String line(Isolation isolation) {
    String begin = names.name() + ": ";
    if (isolation == Isolation.NONE) {
      return begin + "no isolation: " + names.programs() + " reach files, network and processes";
    }
    String what =
        open().isEmpty()
            ? names.programs() + " reach no files, network or processes of this machine"
            : names.programs() + " REACH " + String.join(" and ", open()) + " of this machine";
    String lacking = missing.isEmpty() ? "" : "; missing: " + missing;
    return begin + what + " (" + means + lacking + ")";
  }

  private List<String> open() {
    List<String> open = new ArrayList<>(ALL);
    open.removeAll(kept);
    return open;
  }
}
