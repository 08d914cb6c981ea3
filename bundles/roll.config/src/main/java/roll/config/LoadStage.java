package roll.config;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A stage of loading a configuration.
 *
 * @param purposes the configurations that have it
 */
record LoadStage<T>(Set<Purpose> purposes, Consumer<T> work) {
  /** The purpose a configuration is loaded for. */
  enum Purpose {
    TRAINING,
    ROLLOUT,
    SFT
  }

  /** Creates a stage of loading for every configuration. */
  static <T> LoadStage<T> always(Consumer<T> work) {
    return new LoadStage<>(EnumSet.allOf(Purpose.class), work);
  }

  /** Creates a stage of loading for configurations that are loaded for {@code purpose}. */
  static <T> LoadStage<T> of(Purpose purpose, Consumer<T> work) {
    return new LoadStage<>(EnumSet.of(purpose), work);
  }

  /** Runs the stages for {@code purpose} in order. */
  static <T> void perform(List<LoadStage<T>> stages, Purpose purpose, T on) {
    stages.stream()
        .filter(stage -> stage.purposes.contains(purpose))
        .forEach(stage -> stage.work.accept(on));
  }
}
