package roll.runtime.config;

import java.util.List;
import roll.api.config.WorkerConfig;

/**
 * A frozen policy that the trained one is compared with on samples of some environments: an entry
 * of {@code teachers}.
 *
 * @param worker its model, strategy and devices; its role is {@code teachers.<name>}
 * @param tags environments whose samples it scores
 */
public record TeacherConfig(WorkerConfig worker, List<String> tags) {
  /** Creates a teacher; the list is copied. */
  public TeacherConfig {
    tags = List.copyOf(tags);
  }
}
