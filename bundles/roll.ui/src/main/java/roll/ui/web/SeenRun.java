package roll.ui.web;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A run as it is now.
 *
 * @param json one line; who has the same has missed nothing
 * @param live whether it goes on in this process
 */
public record SeenRun(String id, String json, boolean live) {
  /** Gives the runs there are. */
  public interface Source {
    /** All of them. */
    List<SeenRun> runs() throws IOException, InterruptedException;
  }

  /**
   * Those of an answer {@code {"runs":[{"id":…,"live":…}]}}: a page is told what it is answered.
   */
  public static List<SeenRun> of(Answer answer) {
    List<SeenRun> seen = new ArrayList<>();
    if (answer instanceof Answer.Json json) {
      for (JsonElement one : JsonText.tree(json.value()).getAsJsonArray("runs")) {
        JsonObject run = one.getAsJsonObject();
        seen.add(
            new SeenRun(
                run.get("id").getAsString(), run.toString(), run.get("live").getAsBoolean()));
      }
    }
    return seen;
  }
}
