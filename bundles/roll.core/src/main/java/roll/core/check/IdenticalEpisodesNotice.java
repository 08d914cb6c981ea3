package roll.core.check;

import java.util.ArrayList;
import java.util.List;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.RunConfig;

/** Groups whose members, which have one seed and one greedy policy, are all the same episode. */
final class IdenticalEpisodesNotice {
  private IdenticalEpisodesNotice() {}

  /** Returns a notice for each rollout of {@code run} with groups of identical episodes. */
  static List<String> notices(RunConfig run) {
    EnvManagerConfig train = run.rollout().trainEnvs();
    EnvManagerConfig val = run.rollout().valEnvs();
    List<String> notices = new ArrayList<>();
    if (alike(train)) {
      notices.add(line("train", train, "a temperature above 0 makes members to be compared"));
    }
    if (run.schedule().validates() && alike(val)) {
      notices.add(line("val", val, "group_size 1 says as much, a temperature above 0 more"));
    }
    return notices;
  }

  private static boolean alike(EnvManagerConfig envs) {
    return envs.proxy().isPolicy() && envs.sampling().temperature() == 0 && envs.groupSize() > 1;
  }

  private static String line(String purpose, EnvManagerConfig envs, String instead) {
    return "%s_env_manager.group_size: the %d members of a group play one and the same episode, since temperature is 0: %s"
        .formatted(purpose, envs.groupSize(), instead);
  }
}
