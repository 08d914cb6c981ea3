package roll.runtime.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Data and duration of supervised fine-tuning: of the section {@code sft}, or of {@code
 * preference}.
 *
 * @param trainFiles files of the demonstrations
 * @param valFiles files of the demonstrations for the validation loss; may be empty
 * @param promptKey field of the prompt, in rows of a prompt and a response
 * @param responseKey field of the response, of a single answer with a label
 * @param messagesKey field of the conversation, in rows of chat messages
 * @param minScore episodes with a lower score are left out, or null for none
 * @param truncation treatment of a demonstration longer than {@code sequence_length}
 * @param shuffle whether each epoch shuffles the rows
 * @param dropLast whether an epoch has only full batches
 * @param epochs passes over the rows, after which training ends; 0 where only maxSteps ends it
 * @param maxSteps optimizer steps after which training ends; 0 where only epochs end it
 * @param preference the objective and further fields of the section {@code preference}, or null for
 *     demonstrations
 * @param context fields around the prompt
 */
public record SftConfig(
    List<Path> trainFiles,
    List<Path> valFiles,
    String promptKey,
    String responseKey,
    String messagesKey,
    @Nullable Double minScore,
    Truncation truncation,
    boolean shuffle,
    boolean dropLast,
    int epochs,
    int maxSteps,
    @Nullable PreferenceConfig preference,
    ContextFields context) {
  /** Lists that do not change. */
  public SftConfig {
    trainFiles = List.copyOf(trainFiles);
    valFiles = List.copyOf(valFiles);
  }

  /** Creates a configuration whose epochs end with a smaller batch, of Alpaca's rows. */
  public SftConfig(
      List<Path> trainFiles,
      List<Path> valFiles,
      String promptKey,
      String responseKey,
      String messagesKey,
      @Nullable Double minScore,
      Truncation truncation,
      boolean shuffle,
      int epochs,
      int maxSteps,
      @Nullable PreferenceConfig preference) {
    this(
        trainFiles,
        valFiles,
        promptKey,
        responseKey,
        messagesKey,
        minScore,
        truncation,
        shuffle,
        false,
        epochs,
        maxSteps,
        preference,
        ContextFields.ALPACA);
  }

  /** Creates the configuration of supervised fine-tuning on demonstrations. */
  public SftConfig(
      List<Path> trainFiles,
      List<Path> valFiles,
      String promptKey,
      String responseKey,
      String messagesKey,
      @Nullable Double minScore,
      Truncation truncation,
      boolean shuffle,
      int epochs,
      int maxSteps) {
    this(
        trainFiles,
        valFiles,
        promptKey,
        responseKey,
        messagesKey,
        minScore,
        truncation,
        shuffle,
        epochs,
        maxSteps,
        null);
  }

  /** Returns the name of the section in the configuration. */
  public String section() {
    return preference == null ? "sft" : "preference";
  }

  /** Treatment of demonstrations that are too long. */
  public enum Truncation {
    /** SFT configuration truncation: an error is reported. */
    ERROR,
    /** SFT configuration truncation: the first tokens are dropped. */
    LEFT,
    /** SFT configuration truncation: the last tokens are dropped. */
    RIGHT,
    /** SFT configuration truncation: tokens in the middle are dropped. */
    MIDDLE,
    /** SFT configuration truncation: the demonstration is skipped. */
    DROP
  }
}
