package roll.api.env;

import java.util.Map;
import roll.api.workspace.Workspace;

/**
 * The workspace in which a harness runs.
 *
 * @param workspace belongs to the episode, which does not use it meanwhile
 * @param variables environment variables of the task
 */
public record HarnessWorkspace(Workspace workspace, Map<String, String> variables) {
  /** Copies the map. */
  public HarnessWorkspace {
    variables = Map.copyOf(variables);
  }
}
