package roll.tracking.alerts;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An alert of a run.
 *
 * @param run name of the run
 * @param folder of the run
 * @param rule name of the rule
 * @param when its condition
 * @param step at which it was found, counted from 0; at the end of a run the number of its steps
 * @param value of the metric; null at the end of a run
 * @param text message for people, on one line
 */
record Alert(
    String run,
    Path folder,
    String rule,
    String when,
    int step,
    @Nullable Double value,
    String text) {
  /** Returns the alert as JSON; a value that is not finite is null. */
  String json() {
    JsonObject json = new JsonObject();
    json.addProperty("run", run);
    json.addProperty("folder", folder.toString());
    json.addProperty("alert", rule);
    json.addProperty("when", when);
    json.addProperty("step", step);
    json.add(
        "value",
        value != null && Double.isFinite(value) ? new JsonPrimitive(value) : JsonNull.INSTANCE);
    json.addProperty("text", text);
    return json.toString();
  }
}
