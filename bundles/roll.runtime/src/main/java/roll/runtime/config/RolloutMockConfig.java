package roll.runtime.config;

import java.nio.file.Path;

/**
 * Settings for recording rollouts, or reading recorded ones instead of playing ({@code
 * rollout_mock}).
 *
 * @param mode whether they are written or read
 * @param folder where they are ({@code dump_dir}), absolute
 */
public record RolloutMockConfig(Mode mode, Path folder) {
  /** Whether rollouts are recorded or replayed. */
  public enum Mode {
    /** Rollout mock configuration mode: episodes are played and recorded. */
    DUMP,
    /** Recorded episodes are read; none is played. */
    MOCK
  }
}
