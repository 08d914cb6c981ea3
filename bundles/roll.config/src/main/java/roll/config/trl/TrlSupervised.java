package roll.config.trl;

import java.util.List;
import java.util.Map;
import roll.config.dialect.TranslatedKeys;

/** Training on demonstrations, pairs or labels, of trl sft, dpo, kto and reward. */
final class TrlSupervised {
  private static final String LOSS = "loss_type";

  /** TRL's losses of pairs by the objectives here. */
  private static final Map<String, String> OBJECTIVES = Map.of("sigmoid", "dpo", "ipo", "ipo");

  private final TrlOptions options;
  private final TranslatedKeys ours;
  private final TrlDataFiles files;

  TrlSupervised(TrlOptions options, TranslatedKeys ours, TrlDataFiles files) {
    this.options = options;
    this.ours = ours;
    this.files = files;
  }

  /** Writes the section {@code sft} or {@code preference}. */
  void put() {
    boolean demonstrations = options.trainer() == TrlTrainer.SFT;
    String section = demonstrations ? "sft." : "preference.";
    ours.put(section + "train_files", files.train(), "dataset_name", "datasets");
    List<String> validation = files.validation();
    if (!validation.isEmpty()) {
      ours.put(section + "val_files", validation, "dataset_name");
    }
    ours.copy("sequence_length", "max_length");
    boolean start =
        !options.has("truncation_mode") || options.text("truncation_mode").endsWith("start");
    ours.put(section + "truncation", start ? "right" : "left", "truncation_mode");
    ours.put(
        section + "shuffle",
        options.text("train_sampling_strategy").equals("random"),
        "train_sampling_strategy");
    ours.put(section + "drop_last", options.flag("dataloader_drop_last"), "dataloader_drop_last");
    if (options.has("padding_free") && options.flag("padding_free")) {
      ours.put("actor_train.use_sequence_packing", true, "padding_free");
    }
    ours.put("actor_train.data_args.chat_template_kwargs", Map.of());
    if (demonstrations) {
      demonstrations();
    } else {
      objective();
    }
  }

  private void demonstrations() {
    ours.put("sft.response_key", "completion");
    if (options.given("completion_only_loss") && !options.flag("completion_only_loss")) {
      throw options.refused("completion_only_loss", false, "only responses are trained on");
    }
    if (!options.flag("assistant_only_loss")) {
      options.notice(
          "of rows with messages only the assistant's are trained on; TRL trains on all of them"
              + " unless assistant_only_loss is true");
    }
  }

  private void objective() {
    String name =
        switch (options.trainer()) {
          case KTO -> "kto";
          case REWARD -> "bradley_terry";
          default -> pairs();
        };
    ours.put("preference.objective", name, LOSS);
    if (options.trainer() == TrlTrainer.REWARD) {
      ours.put("actor_train.model_args.model_type", "auto_sequence_classification");
    } else {
      ours.copy("preference.objective_args.beta", "beta");
    }
  }

  private String pairs() {
    List<String> losses = options.texts(LOSS);
    String objective = losses.size() == 1 ? OBJECTIVES.get(losses.getFirst()) : null;
    if (objective == null) {
      throw options.refused(
          LOSS, losses, "one of %s".formatted(String.join(", ", List.of("sigmoid", "ipo"))));
    }
    return objective;
  }
}
