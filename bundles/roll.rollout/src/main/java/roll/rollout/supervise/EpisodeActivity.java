package roll.rollout.supervise;

import java.util.Locale;

/** The activity of an episode for which no response is generated. */
public enum EpisodeActivity {
  /** The environment resets, which includes the making of workspaces. */
  RESET,
  /** The environment steps or answers a question. */
  ENVIRONMENT,
  /** Tools run. */
  TOOL,
  /** Rewards are computed. */
  REWARD,
  /** An agent program computes, or prompts are built and trajectories are assembled. */
  AGENT;

  /** The activity in metrics. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
