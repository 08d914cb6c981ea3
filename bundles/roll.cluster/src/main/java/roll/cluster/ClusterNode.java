package roll.cluster;

import java.util.List;
import java.util.regex.Pattern;
import roll.api.option.UserException;

/**
 * What a node tells of itself. All of it is known to every member.
 *
 * @param name unique in the run: a letter or digit, then up to 62 letters, digits, dots and dashes;
 *     a node that was cut off keeps it when it joins again
 * @param version of roll that it runs
 * @param cores of the processor that it offers, at least 1
 * @param devices that it offers, such as {@code cpu:0} or {@code cuda:1}, in order
 * @param roles that it offers to play, such as {@code actor_infer}, in order
 */
public record ClusterNode(
    String name, String version, int cores, List<String> devices, List<String> roles) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,62}");

  /**
   * A node whose lists nobody changes.
   *
   * @throws UserException if the name is none, or there is no core
   */
  public ClusterNode {
    if (!NAME.matcher(name).matches()) {
      throw new UserException(
          "the name of a node must be a letter or digit and up to 62 letters, digits, dots and"
              + " dashes, but is '"
              + name
              + "'");
    }
    if (cores < 1) {
      throw new UserException(
          "node " + name + " must offer at least one core, but offers " + cores);
    }
    devices = List.copyOf(devices);
    roles = List.copyOf(roles);
  }
}
