package roll.config.roll;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.config.tree.YamlTree;

/**
 * Translates files of ROLL's SFT, distillation and DPO pipelines to the sections {@code sft} and
 * {@code preference}. Only the fields that they name are read of a row, and an epoch has full steps
 * only.
 */
final class RollSupervised {
  private static final String TRAINED = "actor_train";
  private static final String EPOCHS = TRAINED + ".training_args.num_train_epochs";
  private static final String WARMUP = TRAINED + ".training_args.warmup_steps";

  private final PipelineFile file;
  private final String section;

  private RollSupervised(PipelineFile file, String section) {
    this.file = file;
    this.section = section;
  }

  /** Translates a file of the SFT pipeline. */
  static void sft(PipelineFile file) {
    file.draft()
        .notice("a file of ROLL's SFT pipeline: ./roll sft runs it, with sft_train as actor_train");
    file.move("sft_train", TRAINED, null);
    RollSupervised translation = new RollSupervised(file, "sft");
    translation.rows(
        Map.of("prompt_key", "instruction", "query_key", "", "response_key", "output"),
        "system_key");
    file.put("sft.messages_key", "");
    file.put("sft.truncation", "error");
    file.put("sft.shuffle", false);
    if (file.get("max_steps") != null) {
      file.draft()
          .notice("max_steps ends the run too; in ROLL's SFT pipeline num_train_epochs alone does");
    }
    translation.rest();
  }

  /** Translates a file of the distillation pipeline. */
  static void distillation(PipelineFile file) {
    RollTeacher.translate(file);
    RollSupervised translation = new RollSupervised(file, "sft");
    file.move("question_key", "sft.prompt_key", "question");
    file.move("answer_key", "sft.response_key", "answer");
    file.put("sft.query_key", "");
    file.put("sft.system_key", "");
    file.put("sft.history_key", "");
    file.put("sft.messages_key", "");
    file.put("sft.truncation", "right");
    file.put("sft.shuffle", true);
    translation.rest();
  }

  /** Translates a file of the DPO pipeline. */
  static void dpo(PipelineFile file) {
    file.draft().notice("a file of ROLL's DPO pipeline: ./roll dpo runs it");
    RollSupervised translation = new RollSupervised(file, "preference");
    translation.rows(Map.of("chosen_key", "chosen", "rejected_key", "rejected"), "");
    file.put("preference.prompt_key", "instruction");
    file.put("preference.query_key", "");
    file.put("preference.system_key", "");
    translation.objective();
    file.put("preference.truncation", "drop");
    file.put("preference.shuffle", true);
    if (file.get("max_steps") == null) {
      file.put("max_steps", 500);
    }
    translation.rest();
    Object schedule = file.get(TRAINED + ".training_args.lr_scheduler_type");
    if (!"constant".equals(schedule)) {
      file.draft()
          .notice(
              "the learning rate's schedule ends with the run; in ROLL's DPO pipeline after"
                  + " max_steps divided by the data-parallel size");
    }
  }

  /** Moves the keys of the row's fields; a field that is not named is not read. */
  private void rows(Map<String, String> fields, String system) {
    fields.forEach((key, standard) -> file.move(key, section + "." + key, standard));
    if (!system.isEmpty()) {
      file.move(system, section + "." + system, "");
    }
    file.put(section + ".history_key", "");
  }

  private void objective() {
    Object ipo = file.take("ipo");
    if (ipo != null && !(ipo instanceof Boolean)) {
      throw file.wrong("ipo", "expected a boolean, found " + YamlTree.shown(ipo));
    }
    boolean squared = Boolean.TRUE.equals(ipo);
    file.put("preference.objective", squared ? "ipo" : "dpo");
    file.move("beta", "preference.objective_args.beta", 0.1);
    if (squared) {
      file.put("preference.objective_args.per_token", false);
      file.drop("label_smoothing", 0.0, "ipo is true");
    } else {
      file.move("label_smoothing", "preference.objective_args.label_smoothing", 0.0);
    }
  }

  private void rest() {
    String data = TRAINED + ".data_args.";
    file.template(TRAINED, TRAINED);
    file.move(data + "file_name", section + ".train_files", null);
    file.move("validation.data_args.file_name", section + ".val_files", null);
    file.end("validation", Set.of("data_args"));
    file.drop(data + "dataset_dir", null, "ROLL does not read it either");
    file.drop(data + "preprocessing_num_workers", null, "one thread reads the files");
    file.put(section + ".drop_last", true);
    Object epochs = file.take(EPOCHS);
    file.draft().moved().accept(section + ".epochs", EPOCHS);
    file.put(
        section + ".epochs",
        epochs == null
            ? 1
            : epochs instanceof Double d && d == Math.rint(d)
                ? Integer.valueOf(d.intValue())
                : epochs);
    warmup();
  }

  /** FSDP2's constant rate has no warm-up, Megatron's has. */
  private void warmup() {
    Map<String, @Nullable Object> training = YamlTree.mapping(file.get(TRAINED + ".training_args"));
    boolean constant = training != null && "constant".equals(training.get("lr_scheduler_type"));
    Object strategy = file.get(TRAINED + ".strategy_args.strategy_name");
    if (constant && !"megatron_train".equals(strategy)) {
      file.drop(WARMUP, 0, "a constant rate has no warm-up with ROLL's " + strategy);
      file.drop(WARMUP.replace("steps", "ratio"), 0.0, "a constant rate has no warm-up");
    }
  }
}
