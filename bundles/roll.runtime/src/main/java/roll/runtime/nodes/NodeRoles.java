package roll.runtime.nodes;

import java.util.Arrays;
import java.util.List;
import roll.api.option.UserException;

/** The roles of a run that nodes other than the first one can play. */
public final class NodeRoles {
  /** Name of the role that plays environments; a node must name it to do so. */
  public static final String ENVIRONMENT = "environment";

  private static final String REFERENCE = "reference";
  private static final String REWARD_MODELS = "reward_models";

  /** All, in the order in which they are listed. */
  public static final List<String> ALL =
      List.of("actor_infer", REFERENCE, REWARD_MODELS, ENVIRONMENT);

  private static final String PREFIX = REWARD_MODELS + ".";
  private static final String TEACHERS = "teachers.";

  private NodeRoles() {}

  /**
   * Parses the comma-separated roles in {@code text}.
   *
   * @param where the option or key, for messages
   * @throws UserException if one is none of {@link #ALL}
   */
  public static List<String> read(String where, String text) {
    List<String> roles = Arrays.stream(text.split(",", -1)).map(String::strip).distinct().toList();
    for (String role : roles) {
      if (!ALL.contains(role)) {
        throw new UserException(
            where + ": unknown role '" + role + "' (allowed: " + String.join(", ", ALL) + ")");
      }
    }
    return roles;
  }

  /**
   * Returns the name by which nodes know {@code role}; all generating reward models are one role,
   * and teachers are references.
   */
  public static String of(String role) {
    if (role.startsWith(TEACHERS)) {
      return REFERENCE;
    }
    return role.startsWith(PREFIX) ? REWARD_MODELS : role;
  }
}
