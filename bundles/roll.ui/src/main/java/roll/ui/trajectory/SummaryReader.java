package roll.ui.trajectory;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import org.jspecify.annotations.Nullable;

/** Reads what a list tells of an episode from its line, without keeping the rest of it. */
final class SummaryReader {
  private static final int PEEK = 160;

  private final TokenSums tokens = new TokenSums();
  private @Nullable String id;
  private String tag = "";
  private int member;
  private double score = Double.NaN;
  private String finish = "";
  private @Nullable String answer;
  private String last = "";
  private double success = Double.NaN;
  private int turns;

  private SummaryReader() {}

  /**
   * The episode of a line; null where it is the first line of a dumped rollout, which is none.
   *
   * @throws IOException if the line is broken
   */
  static @Nullable EpisodeSummary read(int index, String line) throws IOException {
    SummaryReader reader = new SummaryReader();
    try (JsonReader in = new JsonReader(new StringReader(line))) {
      if (!reader.object(in)) {
        return null;
      }
      if (in.peek() != JsonToken.END_DOCUMENT) {
        throw new IOException("something follows the object");
      }
    } catch (IllegalStateException | NumberFormatException e) { // another type than expected
      throw new IOException(e.getMessage(), e);
    }
    return reader.summary(index);
  }

  private EpisodeSummary summary(int index) throws IOException {
    if (id == null) {
      throw new IOException("'id' is missing");
    }
    String ending = "_" + member;
    return new EpisodeSummary(
        index,
        id,
        tag,
        id.endsWith(ending) ? id.substring(0, id.length() - ending.length()) : id,
        member,
        score,
        tokens.advantage(),
        turns,
        tokens.tokens(),
        tokens.written(),
        tokens.surprise(),
        finish,
        answer,
        peek(last),
        Double.isNaN(success) ? score > 0 : success > 0);
  }

  private static String peek(String text) {
    int end = Math.min(text.length(), PEEK);
    boolean half =
        end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, half ? end - 1 : end);
  }

  private boolean object(JsonReader in) throws IOException {
    in.beginObject();
    while (in.hasNext()) {
      switch (in.nextName()) {
        case "rollout" -> {
          return false;
        }
        case "id" -> id = in.nextString();
        case "tag" -> tag = in.nextString();
        case "member" -> member = in.nextInt();
        case "score" -> score = number(in);
        case "finish" -> finish = in.nextString();
        case "answer" -> answer = text(in);
        case "rewards" -> turns = count(in);
        case "messages" -> messages(in);
        case "metrics" -> metrics(in);
        case "sequences" -> sequences(in);
        default -> in.skipValue();
      }
    }
    in.endObject();
    return true;
  }

  private static double number(JsonReader in) throws IOException {
    return Double.parseDouble(in.nextString());
  }

  private static @Nullable String text(JsonReader in) throws IOException {
    if (in.peek() == JsonToken.NULL) {
      in.nextNull();
      return null;
    }
    return in.nextString();
  }

  private static int count(JsonReader in) throws IOException {
    int count = 0;
    in.beginArray();
    while (in.hasNext()) {
      in.skipValue();
      count++;
    }
    in.endArray();
    return count;
  }

  private void messages(JsonReader in) throws IOException {
    in.beginArray();
    while (in.hasNext()) {
      in.beginObject();
      while (in.hasNext()) {
        if (in.nextName().equals("content")) {
          last = in.nextString();
        } else {
          in.skipValue();
        }
      }
      in.endObject();
    }
    in.endArray();
  }

  private void metrics(JsonReader in) throws IOException {
    in.beginObject();
    while (in.hasNext()) {
      if (in.nextName().equals("success")) {
        success = number(in);
      } else {
        in.skipValue();
      }
    }
    in.endObject();
  }

  private void sequences(JsonReader in) throws IOException {
    in.beginArray();
    while (in.hasNext()) {
      tokens.add(in);
    }
    in.endArray();
  }
}
