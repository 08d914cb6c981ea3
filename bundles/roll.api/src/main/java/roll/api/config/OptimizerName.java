package roll.api.config;

import java.util.Locale;

/** The optimizer of a role. */
public enum OptimizerName {
  /** Optimizer of a role: AdamW for all parameters. */
  ADAMW,
  /** Muon for the matrices of layers, AdamW for the other parameters. */
  MUON;

  /** Returns its name in configurations and checkpoints. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
