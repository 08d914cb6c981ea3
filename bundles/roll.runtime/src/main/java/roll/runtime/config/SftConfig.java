package roll.runtime.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a supervised warm start is trained on, and how long ({@code sft}).
 *
 * @param trainFiles files of the demonstrations
 * @param valFiles files of those that the loss is validated with; may be empty
 * @param promptKey field of the prompt, in rows of a prompt and a response
 * @param responseKey field of the response
 * @param messagesKey field of the conversation, in rows of chat messages
 * @param minScore episodes with a lower score are left out, or null for none
 * @param truncation what happens to a demonstration longer than {@code sequence_length}
 * @param shuffle whether an epoch goes through the rows by lot
 * @param epochs passes over the rows, after which training ends; 0 where only maxSteps ends it
 * @param maxSteps optimizer steps after which training ends; 0 where only epochs end it
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
    int epochs,
    int maxSteps) {
  /** Lists that do not change. */
  public SftConfig {
    trainFiles = List.copyOf(trainFiles);
    valFiles = List.copyOf(valFiles);
  }

  /** What happens to what is too long. */
  public enum Truncation {
    /** It is refused. */
    ERROR,
    /** Its beginning is cut off. */
    LEFT,
    /** Its end is cut off. */
    RIGHT,
    /** Its middle is cut out. */
    MIDDLE,
    /** It is left out. */
    DROP
  }
}
