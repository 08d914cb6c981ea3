package roll.api.curriculum;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * Chooses before each training step how its groups are distributed over the environments.
 * Stateless: values needed in later steps go into {@link EnvironmentMix#memory}, which the run
 * saves in its checkpoints and passes to the next call, also to a newer version of the plugin.
 */
@ConsumerType
public interface Curriculum {
  /** One sentence about the curriculum for users; constant. */
  String description();

  /** Options of the curriculum beside {@code type}; constant. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Returns the mix of the step {@code progress.step()}, a function of the arguments alone: a
   * resumed run calls again and must get the same result. Also called before a run begins, with
   * empty progress, to find options that do not fit the tags.
   *
   * @param progress results so far
   * @param options checked against {@link #options}
   * @throws roll.api.option.UserException if an option has a value that is not allowed
   */
  EnvironmentMix next(CurriculumProgress progress, Options options);
}
