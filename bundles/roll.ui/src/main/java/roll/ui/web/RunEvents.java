package roll.ui.web;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells of runs what {@link #ASKED} answers: a page is told the same as when it asks. */
public final class RunEvents implements EventSource {
  /** The request for all runs. */
  public static final String ASKED = "GET /api/runs";

  private static final Ask ALL = new Ask(List.of(), Map.of(), new byte[0]);

  private final @Nullable Endpoint runs;
  private final LongSupplier services;
  private final Runnable looked;

  /**
   * Events of runs and services.
   *
   * @param runs answers with {@code {"runs":[{"id":…,"live":…}]}}; null where nothing does
   * @param services rises when a service comes or goes
   * @param looked called with each look
   */
  public RunEvents(@Nullable Endpoint runs, LongSupplier services, Runnable looked) {
    this.runs = runs;
    this.services = services;
    this.looked = looked;
  }

  @Override
  public List<Seen> runs() throws IOException, InterruptedException {
    looked.run();
    if (runs == null || !(runs.answer(ALL) instanceof Answer.Json json)) {
      return List.of();
    }
    String text = new String(JsonText.of(json.value()), StandardCharsets.UTF_8);
    List<Seen> seen = new ArrayList<>();
    for (JsonElement one : JsonParser.parseString(text).getAsJsonObject().getAsJsonArray("runs")) {
      JsonObject run = one.getAsJsonObject();
      seen.add(
          new Seen(run.get("id").getAsString(), run.toString(), run.get("live").getAsBoolean()));
    }
    return seen;
  }

  @Override
  public long services() {
    return services.getAsLong();
  }
}
