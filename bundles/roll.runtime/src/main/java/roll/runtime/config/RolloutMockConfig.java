package roll.runtime.config;

import java.nio.file.Path;

/**
 * Rollouts that are written down, or read instead of played ({@code rollout_mock}).
 *
 * @param mode whether they are written or read
 * @param folder where they are ({@code dump_dir}), absolute
 */
public record RolloutMockConfig(Mode mode, Path folder) {
  /** What is done with rollouts. */
  public enum Mode {
    /** They are played, and written. */
    DUMP,
    /** They are read; nothing is played. */
    MOCK
  }
}
