package roll.config;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.LoadStage.Purpose;
import roll.config.roll.RollPipeline;
import roll.config.tree.Composition;
import roll.config.tree.KeyOrigins;
import roll.config.tree.YamlReader;
import roll.config.tree.YamlTree;

/** Refuses files of those of ROLL's pipelines that are not read, or not by the current command. */
final class RollPipelines {
  private RollPipelines() {}

  /**
   * Reads the configuration {@code file} and the files of its {@code defaults} list. A file of a
   * pipeline that is not read is called by its name although what it builds on is missing.
   *
   * @throws UserException if it is of such a pipeline, or cannot be read
   */
  static Composition compose(Path file) {
    try {
      return Composition.of(file);
    } catch (UserException unread) {
      YamlReader.Document alone = YamlReader.read(file);
      Map<String, @Nullable Object> own = YamlTree.mapping(alone.root());
      if (own != null) {
        check(own, alone.origins());
      }
      throw unread;
    }
  }

  /** Whether {@code tree} is a file of a supervised pipeline. */
  static boolean isSupervised(Map<String, @Nullable Object> tree) {
    RollPipeline pipeline = RollPipeline.of(tree);
    return pipeline == RollPipeline.SFT || pipeline == RollPipeline.DPO;
  }

  /**
   * Accepts what may be loaded for {@code purpose}.
   *
   * @throws UserException naming the pipeline that {@code tree} is of, and the command that runs it
   */
  static void check(Map<String, @Nullable Object> tree, KeyOrigins origins, Purpose purpose) {
    check(tree, origins);
    RollPipeline pipeline = RollPipeline.of(tree);
    if (pipeline != null && isSupervised(tree) != (purpose == Purpose.SFT)) {
      throw new UserException(
          "%s: %s: ./roll %s runs it"
              .formatted(origins.of(pipeline.key(tree)), pipeline.told(tree), pipeline.command()));
    }
  }

  private static void check(Map<String, @Nullable Object> tree, KeyOrigins origins) {
    RollPipeline pipeline = RollPipeline.of(tree);
    if (pipeline != null && pipeline.command().isEmpty()) {
      throw new UserException(
          "%s: %s: training on a teacher's distribution is not built"
              .formatted(origins.of(pipeline.key(tree)), pipeline.told(tree)));
    }
  }
}
