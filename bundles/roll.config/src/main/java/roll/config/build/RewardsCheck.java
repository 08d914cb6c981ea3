package roll.config.build;

import java.util.List;
import java.util.Map;
import roll.api.option.UserException;
import roll.config.schema.Section;

/** Checks that a training has rewards: without any, all advantages are 0 and nothing is learned. */
public final class RewardsCheck {
  /** Name of the environment whose reward is always 0. */
  private static final String UNREWARDED = "dataset";

  /** Name of the environment manager whose programs may return their own rewards. */
  private static final String PROGRAM = "program";

  private static final String WANTED = "no_reward";

  private RewardsCheck() {}

  /**
   * Makes sure that each environment that is trained on has a reward, of its own or of {@code
   * rewards}, unless it says that it needs none, or a role of the user's works on what was played.
   *
   * @throws UserException for the first that has not
   */
  public static void check(Section run) {
    Map<String, Section> all = run.sections("custom_envs");
    Section manager = run.section("train_env_manager");
    List<String> tags = manager.has("tags") ? manager.texts("tags") : List.copyOf(all.keySet());
    if (!run.sections("roles").isEmpty()) {
      return;
    }
    for (String tag : tags) {
      Section environment = all.get(tag);
      if (environment != null
          && environment.text("env_type").equals(UNREWARDED)
          && !environment.text("env_manager_cls").equals(PROGRAM)
          && environment.mapping("rewards").isEmpty()
          && !environment.flag(WANTED)) {
        throw new UserException(
            "%s: no reward grades the answers, so nothing would be learned: name one (./roll services roll.reward), or write %s: true where that is wanted"
                .formatted(environment.where("rewards"), WANTED));
      }
    }
  }
}
