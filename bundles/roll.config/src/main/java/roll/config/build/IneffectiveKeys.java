package roll.config.build;

import java.util.List;
import java.util.Set;
import roll.config.schema.Section;

/** Keys that were set but have no effect because another key disables them. */
public final class IneffectiveKeys {
  private final Section run;
  private final Set<String> changed;
  private final List<String> notices;

  /**
   * Creates the check of ineffective keys for {@code run}.
   *
   * @param changed top-level keys whose value differs from their default
   * @param notices receive a line for each key
   */
  public IneffectiveKeys(Section run, Set<String> changed, List<String> notices) {
    this.run = run;
    this.changed = changed;
    this.notices = notices;
  }

  /** Checks every key that another key can disable. */
  public void check() {
    needs("use_kl_loss", "kl_loss_coef", "kl_loss_type");
    needs("add_token_level_kl", "target_kl", "kl_horizon");
    if (run.number("init_kl_coef") != 0) { // 0 says that there is no penalty
      needs("add_token_level_kl", "init_kl_coef");
    }
    if (!run.flag("use_kl_loss") && !run.flag("enable_reference")) {
      needs("add_token_level_kl", "kl_penalty"); // else it is that of critic/kl
    }
    needs("use_pg_clip_range", "pg_clip_low", "pg_clip_high");
    if (run.flag("use_pg_clip_range") && !run.flag("dual_clip_loss")) {
      idle("pg_clip", "use_pg_clip_range is true");
    }
    if (!run.text("loss_agg_mode").equals("seq-mean-token-sum-norm")) {
      idle("loss_scale_factor", "loss_agg_mode is not seq-mean-token-sum-norm");
    }
    if (run.has("rollout_mock")) {
      rolloutMock(run.section("rollout_mock"));
    }
    for (String role : List.of("actor_train", "actor_infer", "reference", "critic")) {
      if (run.has(role)) {
        packing(run.section(role));
      }
    }
    run.sections(Teachers.KEY).values().forEach(this::packing);
  }

  /** Checks the keys of sequence packing; a default may be written out. */
  private void packing(Section worker) {
    Section packing = worker.section("sequence_packing_args");
    boolean set =
        !packing.text("algorithm").equals("none")
            || packing.has("max_packed_sequence_length_train")
            || packing.has("max_packed_sequence_length_forward")
            || packing.integer("min_num_micro_batches_train") > 1
            || packing.integer("min_num_micro_batches_forward") > 1;
    if (set && !worker.flag("use_sequence_packing")) {
      String key = worker.path("sequence_packing_args");
      notices.add("key '" + key + "' has no effect here: use_sequence_packing is false");
    }
  }

  private void rolloutMock(Section mock) {
    if (!mock.flag("enable") && (mock.given("mode") || mock.given("dump_dir"))) {
      idle("rollout_mock", "rollout_mock.enable is false");
    }
  }

  private void needs(String flag, String... keys) {
    for (String key : keys) {
      if (!run.flag(flag)) {
        idle(key, flag + " is false");
      }
    }
  }

  private void idle(String key, String reason) {
    if (changed.contains(key)) {
      notices.add("key '" + key + "' has no effect here: " + reason);
    }
  }
}
