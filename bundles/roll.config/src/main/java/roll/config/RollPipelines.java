package roll.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.LoadStage.Purpose;
import roll.config.roll.RollPipeline;
import roll.config.tree.KeyOrigins;

/** Refuses files of ROLL's pipelines that another command runs. */
final class RollPipelines {
  private RollPipelines() {}

  /** Whether {@code tree} is a file of a supervised pipeline. */
  static boolean isSupervised(Map<String, @Nullable Object> tree) {
    RollPipeline pipeline = RollPipeline.of(tree);
    return pipeline != null && !pipeline.command().equals("train");
  }

  /**
   * Accepts what may be loaded for {@code purpose}.
   *
   * @throws UserException naming the pipeline that {@code tree} is of, and the command that runs it
   */
  static void check(Map<String, @Nullable Object> tree, KeyOrigins origins, Purpose purpose) {
    RollPipeline pipeline = RollPipeline.of(tree);
    if (pipeline != null && isSupervised(tree) != (purpose == Purpose.SFT)) {
      throw new UserException(
          "%s: %s: ./roll %s runs it"
              .formatted(origins.of(pipeline.key(tree)), pipeline.told(tree), pipeline.command()));
    }
  }
}
