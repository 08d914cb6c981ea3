package roll.core.plugin;

import roll.api.option.UserException;

/** A distribution that reads no models: one without PyTorch, for authors of environments. */
public final class NoModelSupport {
  /** The notice of a check in place of checking roles and their models. */
  public static final String NOTICE =
      "this distribution lacks roll.torch and cannot train: roles, strategies and models are not"
          + " checked";

  private NoModelSupport() {}

  /** The error of {@code command}, which needs models. */
  public static UserException complaint(String command) {
    return new UserException(
        command
            + ": this distribution lacks the bundle roll.torch, which reads models (an agent can"
            + " play: rollout --agent random)");
  }
}
