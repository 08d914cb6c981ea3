package roll.config.trl;

import java.util.List;
import roll.config.dialect.TranslatedKeys;

/** TRL's correction for the mismatch of engine and trained model, which it has with vLLM only. */
final class TrlCorrection {
  private static final String ON = "vllm_importance_sampling_correction";
  private static final String MODE = "vllm_importance_sampling_mode";
  private static final String MOST = "vllm_importance_sampling_clip_max";
  private static final String LEAST = "vllm_importance_sampling_clip_min";
  private static final String CAP = "vllm_importance_sampling_cap";
  private static final String CORRECTION = "train_infer_correction.";

  private final TrlOptions options;
  private final TranslatedKeys ours;

  TrlCorrection(TrlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /** Writes the weights; with a mask those out of bounds are 0. */
  void put() {
    if (!options.flag("use_vllm") || !options.flag(ON)) {
      List.of(MODE, MOST, LEAST, CAP)
          .forEach(key -> options.idle(key, "it is of use_vllm with " + ON));
      return;
    }
    String mode = options.text(MODE);
    String level = mode.startsWith("token") ? "token" : "sequence";
    double most = options.number(options.has(CAP) ? CAP : MOST);
    ours.put(CORRECTION + "is_weight.enabled", true, ON);
    ours.put(CORRECTION + "is_weight.weight_type", level, MODE);
    ours.put(CORRECTION + "is_weight.upper_bound", most, CAP, MOST);
    if (mode.endsWith("_mask")) {
      double least = options.has(LEAST) ? options.number(LEAST) : 0;
      ours.put(CORRECTION + "is_weight.lower_bound", least, LEAST, MODE);
    } else if (options.has(LEAST)) {
      throw options.refused(LEAST, options.value(LEAST), "no weight is raised");
    }
  }
}
