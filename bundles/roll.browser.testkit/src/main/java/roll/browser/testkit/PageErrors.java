package roll.browser.testkit;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The errors of a page, from the events of its tab. */
final class PageErrors {
  private final List<String> all = new CopyOnWriteArrayList<>();
  private final Map<String, String> requests = new ConcurrentHashMap<>();

  /** Handles an event of the DevTools Protocol. */
  void handle(String method, JsonObject event) {
    switch (method) {
      case "Runtime.consoleAPICalled" -> said(event);
      case "Runtime.exceptionThrown" -> thrown(event.getAsJsonObject("exceptionDetails"));
      case "Log.entryAdded" -> logged(event.getAsJsonObject("entry"));
      case "Network.requestWillBeSent" ->
          requests.put(text(event, "requestId"), text(event.getAsJsonObject("request"), "url"));
      case "Network.loadingFinished" -> requests.remove(text(event, "requestId"));
      case "Network.loadingFailed" -> failed(event);
      default -> {}
    }
  }

  private void said(JsonObject event) {
    String type = text(event, "type");
    if (type.equals("error") || type.equals("warning") || type.equals("assert")) {
      List<String> words = new ArrayList<>();
      for (JsonElement argument : event.getAsJsonArray("args")) {
        JsonObject value = argument.getAsJsonObject();
        words.add(value.has("value") ? value.get("value").toString() : text(value, "description"));
      }
      all.add("console." + type + " " + String.join(" ", words));
    }
  }

  private void thrown(JsonObject details) {
    @Nullable JsonObject exception = details.getAsJsonObject("exception");
    all.add(
        "thrown: " + (exception == null ? text(details, "text") : text(exception, "description")));
  }

  private void logged(JsonObject entry) {
    String level = text(entry, "level");
    if (level.equals("error") || level.equals("warning")) {
      all.add(level + ": " + text(entry, "text") + " " + text(entry, "url"));
    }
  }

  /** Records a failed request, unless the page canceled it itself, as during navigation. */
  private void failed(JsonObject event) {
    String url = requests.remove(text(event, "requestId"));
    boolean canceled = event.has("canceled") && event.get("canceled").getAsBoolean();
    if (!canceled) {
      all.add("failed: " + text(event, "errorText") + " " + url);
    }
  }

  private static String text(JsonObject object, String name) {
    return object.has(name) ? object.get(name).getAsString() : "";
  }

  List<String> all() {
    return List.copyOf(all);
  }

  void clear() {
    all.clear();
  }
}
