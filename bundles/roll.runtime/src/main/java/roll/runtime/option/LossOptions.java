package roll.runtime.option;

import roll.api.loss.LossSettings;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;

/** The options that a configuration gives a policy loss. */
public final class LossOptions {
  private LossOptions() {}

  /**
   * Those that {@code settings} give {@code loss}.
   *
   * @throws roll.api.option.UserException if it has no such option, or not with such a value
   */
  public static Options of(PolicyLoss loss, LossSettings settings) {
    return YamlOptions.checked(
        "actor_train.pg_variant_args", settings.args(), loss.info().options());
  }
}
