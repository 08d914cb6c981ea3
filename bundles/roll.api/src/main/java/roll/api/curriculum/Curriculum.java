package roll.api.curriculum;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * Says before each training step which share of its groups plays which environment. Stateless: what
 * it must remember from step to step is {@link Mix#memory}, which the run keeps, saves in its
 * checkpoints and gives back, also to a newer version of the plugin.
 */
@ConsumerType
public interface Curriculum {
  /** One sentence for people; always the same. */
  String description();

  /** What a configuration can set beside {@code type}; always the same. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * The mix of the step {@code progress.step()}, a function of the arguments alone: a resumed run
   * asks again and must be told the same. Also called before a run begins, with the progress of a
   * run that has played nothing, to find options that do not fit the tags.
   *
   * @param progress what was played so far
   * @param options checked against {@link #options}
   * @throws roll.api.option.UserException if an option has a value that is not allowed
   */
  Mix next(CurriculumProgress progress, Options options);
}
