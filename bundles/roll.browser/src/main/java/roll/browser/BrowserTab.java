package roll.browser;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.Base64;
import java.util.Map;
import java.util.function.BiConsumer;

/** One tab of a browser. Must be closed. */
public final class BrowserTab implements AutoCloseable {
  private static final Gson GSON = new Gson();

  private final DevTools tools;
  private final String target;
  private final String session;

  private BrowserTab(DevTools tools, String target, String session) {
    this.tools = tools;
    this.target = target;
    this.session = session;
  }

  /**
   * Opens an empty browser tab.
   *
   * @param context of {@code Target.createBrowserContext}, which shares no storage and no
   *     connection with others; empty for that of the first window
   * @param width of its window in pixels
   * @param height of its window in pixels
   * @throws BrowserException if that fails
   */
  public static BrowserTab open(DevTools tools, String context, int width, int height) {
    // in its own window it is in front: other tabs of a window are never drawn
    JsonObject wanted = json(Map.of("url", "about:blank", "newWindow", true));
    if (!context.isEmpty()) {
      wanted.addProperty("browserContextId", context);
    }
    String target = tools.call("", "Target.createTarget", wanted).get("targetId").getAsString();
    JsonObject attached =
        tools.call("", "Target.attachToTarget", json(Map.of("targetId", target, "flatten", true)));
    BrowserTab tab = new BrowserTab(tools, target, attached.get("sessionId").getAsString());
    tab.size(width, height);
    return tab;
  }

  /** Returns whether the id is that of a tab of this browser. */
  public boolean isOf(DevTools running) {
    return running.equals(tools);
  }

  /** Calls {@code listener} with method and parameters of every event, on the reading thread. */
  public void listen(BiConsumer<String, JsonObject> listener) {
    tools.listen(session, listener);
  }

  /**
   * Calls a method and returns its result.
   *
   * @throws BrowserException if it is refused, exceeds the limit or the browser has ended
   */
  public JsonObject call(String method, Map<String, Object> parameters) {
    return tools.call(session, method, json(parameters));
  }

  /** Calls a method without waiting for its result. */
  public void tell(String method, Map<String, Object> parameters) {
    tools.tell(session, method, json(parameters));
  }

  /** Resizes the window to {@code width} by {@code height} pixels. */
  public void size(int width, int height) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /**
   * Returns the value of a JavaScript expression, of a promise after it is settled; JSON null if it
   * has none.
   *
   * @throws BrowserException if it throws
   */
  public JsonElement evaluate(String expression) {
    JsonObject answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    JsonObject thrown = answer.getAsJsonObject("exceptionDetails");
    if (thrown != null) {
      JsonObject exception = thrown.getAsJsonObject("exception");
      JsonElement why = exception == null ? null : exception.get("description");
      throw new BrowserException(
          "the page says " + (why == null ? thrown.get("text") : why).getAsString());
    }
    JsonElement value = answer.getAsJsonObject("result").get("value");
    return value == null ? JsonNull.INSTANCE : value;
  }

  /**
   * Returns the top {@code width} by {@code height} pixels of the page as PNG, also beyond its
   * window.
   */
  public byte[] picture(int width, int height) {
    Map<String, Object> clip = Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1);
    JsonObject shot =
        call(
            "Page.captureScreenshot",
            Map.of("format", "png", "clip", clip, "captureBeyondViewport", true));
    return Base64.getDecoder().decode(shot.get("data").getAsString());
  }

  /** Closes the tab, even while it is loading. */
  @Override
  public void close() {
    tools.forget(session);
    tools.tell("", "Target.closeTarget", json(Map.of("targetId", target)));
  }

  private static JsonObject json(Map<String, Object> parameters) {
    return GSON.toJsonTree(parameters).getAsJsonObject();
  }
}
