package roll.config.verl;

import java.util.List;
import java.util.Map;
import roll.config.dialect.TranslatedKeys;

/** verl's optimizer and schedule of the learning rate, of the actor or the critic. */
final class VerlOptimizer {
  private static final Map<String, String> STYLES = Map.of("WSD", "warmup_stable_decay");
  private static final Map<String, String> CURVES = Map.of("minus_sqrt", "1-sqrt");

  private final VerlOptions options;
  private final TranslatedKeys ours;
  private final String from;
  private final String to;
  private final int updates;

  /**
   * Creates the translation of one role's optimizer options.
   *
   * @param worker verl's name of the role, with a dot
   * @param role our name of the role
   * @param updates optimizer steps per training step; verl's schedule counts them as one
   */
  VerlOptimizer(VerlOptions options, TranslatedKeys ours, String worker, String role, int updates) {
    this.options = options;
    this.ours = ours;
    this.from = worker + "optim.";
    this.to = role + ".training_args.";
    this.updates = updates;
  }

  /** Writes the translated keys of verl's optimizer options. */
  void put() {
    moments();
    if (options.integer(from + "lr_warmup_steps") > 0) {
      steps("warmup_steps", "lr_warmup_steps");
    }
    String type = options.text(from + "lr_scheduler_type");
    if (options.given(from + "lr_decay_style")) {
      String style = options.text(from + "lr_decay_style");
      type = STYLES.getOrDefault(style, style);
      ours.put(to + "lr_scheduler_type", type, from + "lr_decay_style");
    }
    boolean cosine = type.equals("cosine");
    shape("min_lr_ratio", "min_lr_rate", cosine, type);
    shape("num_cycles", "num_cycles", cosine, type);
    shape("min_lr", "min_lr", !type.equals("constant"), type);
    plateau(type);
    String length = from + "lr_decay_steps";
    if (options.given(length) && !type.equals("constant")) {
      throw options.wrong(
          length, "none: the schedule is as long as the run", options.value(length));
    }
    idle(length, type);
  }

  /** Translates the two moment decay rates of Adam. */
  private void moments() {
    String betas = from + "betas";
    if (!(options.value(betas) instanceof List<?> pair)
        || pair.size() != 2
        || !pair.stream().allMatch(beta -> beta instanceof Number)) {
      throw options.wrong(betas, "two numbers", options.value(betas));
    }
    ours.put(to + "adam_beta1", pair.getFirst(), betas);
    ours.put(to + "adam_beta2", pair.getLast(), betas);
  }

  private void plateau(String type) {
    boolean plateau = type.equals("warmup_stable_decay");
    if (plateau && options.given(from + "lr_wsd_decay_steps")) {
      steps("lr_scheduler_kwargs.num_decay_steps", "lr_wsd_decay_steps");
    } else {
      idle(from + "lr_wsd_decay_steps", type);
    }
    String style = from + "lr_wsd_decay_style";
    if (plateau) {
      String curve = options.text(style);
      ours.put(
          to + "lr_scheduler_kwargs.decay_type",
          CURVES.getOrDefault(curve, curve),
          style,
          from + "lr_decay_style");
    } else {
      idle(style, type);
    }
  }

  /** Converts a length in training steps to optimizer steps. */
  private void steps(String key, String option) {
    long steps = (long) options.integer(from + option) * updates;
    if (steps > Integer.MAX_VALUE) {
      throw options.wrong(
          from + option, "at most " + Integer.MAX_VALUE / updates, options.integer(from + option));
    }
    ours.put(to + key, (int) steps, from + option);
  }

  private void shape(String option, String key, boolean used, String type) {
    if (!options.given(from + option)) {
      return;
    }
    if (used) {
      ours.copy(to + "lr_scheduler_kwargs." + key, from + option);
    } else {
      idle(from + option, type);
    }
  }

  private void idle(String path, String type) {
    if (options.given(path) && !options.standard(path)) {
      options.notice("key '%s' has no effect here: the schedule is %s".formatted(path, type));
    }
  }
}
