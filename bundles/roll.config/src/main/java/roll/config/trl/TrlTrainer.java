package roll.config.trl;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The commands of TRL whose files are read. */
public enum TrlTrainer {
  /** Group-relative policy optimization. */
  GRPO("train"),
  /** REINFORCE leave-one-out. */
  RLOO("train"),
  /** Training on demonstrations. */
  SFT("sft"),
  /** Training on pairs of answers. */
  DPO("dpo"),
  /** Training on answers with labels. */
  KTO("dpo"),
  /** Training of a reward model. */
  REWARD("dpo");

  private final String command;

  TrlTrainer(String command) {
    this.command = command;
  }

  /** Returns the command here that runs its files. */
  public String command() {
    return command;
  }

  /** Whether its files play episodes. */
  public boolean plays() {
    return command.equals("train");
  }

  /** Returns the word after {@code trl} that starts it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the words of all of them. */
  static List<String> words() {
    return Arrays.stream(values()).map(TrlTrainer::word).toList();
  }
}
