package roll.cluster;

import java.util.List;
import java.util.regex.Pattern;
import roll.api.option.UserException;

/**
 * Description of a node of the run, known to every member.
 *
 * @param name unique in the run: a letter or digit, then up to 62 letters, digits, dots and dashes;
 *     a node that lost its membership rejoins under the same name
 * @param version roll version of the node
 * @param cores number of processor cores that it offers, at least 1
 * @param devices names of the devices that it offers, such as {@code cpu:0} or {@code cuda:1}, in
 *     order
 * @param roles roles that it accepts, such as {@code actor_infer}, in order
 */
public record ClusterNode(
    String name, String version, int cores, List<String> devices, List<String> roles) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,62}");

  /**
   * Copies the lists.
   *
   * @throws UserException if the name is invalid, or {@code cores} is less than 1
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
