package roll.api.config;

import java.util.Locale;

/** The optimizer of a role. */
public enum OptimizerName {
  /** Optimizer of a role: AdamW for all parameters. */
  ADAMW,
  /** AdamW with moments of 8 bits for large matrices. */
  ADAMW_8BIT,
  /** Muon for the matrices of layers, AdamW for the other parameters. */
  MUON;

  /** Returns its name in configurations and checkpoints. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
