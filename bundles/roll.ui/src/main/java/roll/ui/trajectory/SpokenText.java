package roll.ui.trajectory;

import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

/** What was said in an episode, read from its line for a search. */
final class SpokenText {
  private SpokenText() {}

  /** The texts of the messages of {@code line}, which is whole. */
  static List<String> of(String line) throws IOException {
    List<String> texts = new ArrayList<>();
    try (JsonReader in = new JsonReader(new StringReader(line))) {
      in.beginObject();
      while (in.hasNext()) {
        if (in.nextName().equals("messages")) {
          messages(in, texts);
          return texts; // tokens say the same again
        }
        in.skipValue();
      }
    }
    return texts;
  }

  private static void messages(JsonReader in, List<String> texts) throws IOException {
    in.beginArray();
    while (in.hasNext()) {
      in.beginObject();
      while (in.hasNext()) {
        if (in.nextName().equals("content")) {
          texts.add(in.nextString());
        } else {
          in.skipValue();
        }
      }
      in.endObject();
    }
    in.endArray();
  }
}
