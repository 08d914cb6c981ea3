package roll.openai.dialect;

import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.openai.request.ChatMessages;

/** The latest responses by id, with their conversations, within a bound of memory. */
public final class StoredConversations {
  /** Maximum characters of text and bytes of pictures of all conversations together. */
  private static final long MOST = 256L << 20;

  private final Map<String, Entry> kept = new LinkedHashMap<>();
  private final Map<String, JsonObject> items = new HashMap<>();
  private long size;

  private record Entry(
      ChatMessages conversation, String response, Map<String, JsonObject> items, long size) {}

  /**
   * Keeps a response and forgets the oldest ones.
   *
   * @param conversation ends with the response
   * @param response JSON of the response
   * @param parts items of the response by id
   */
  public synchronized void put(
      String id, ChatMessages conversation, String response, Map<String, JsonObject> parts) {
    Entry entry =
        new Entry(
            conversation, response, Map.copyOf(parts), size(conversation) + response.length());
    kept.put(id, entry);
    items.putAll(entry.items());
    size += entry.size();
    while (size > MOST && kept.size() > 1) {
      Iterator<Entry> oldest = kept.values().iterator();
      forget(oldest.next());
      oldest.remove();
    }
  }

  private static long size(ChatMessages conversation) {
    long size = conversation.pictures().stream().mapToLong(Picture::size).sum();
    for (Map<String, Object> message : conversation.messages()) {
      size += String.valueOf(message.get("content")).length();
      size += message.get("tool_calls") instanceof List<?> calls ? calls.toString().length() : 0;
    }
    return size;
  }

  private void forget(Entry entry) {
    size -= entry.size();
    items.keySet().removeAll(entry.items().keySet());
  }

  /** Returns the conversation that ends with the response {@code id}; null if it is unknown. */
  public synchronized @Nullable ChatMessages get(String id) {
    Entry entry = kept.get(id);
    return entry == null ? null : entry.conversation();
  }

  /** Returns the JSON of the response {@code id}; null if it is unknown. */
  public synchronized @Nullable String response(String id) {
    Entry entry = kept.get(id);
    return entry == null ? null : entry.response();
  }

  /** Returns the item {@code id} of a response; null if it is unknown. */
  public synchronized @Nullable JsonObject item(String id) {
    return items.get(id);
  }

  /** Forgets the response {@code id}; returns whether it was known. */
  public synchronized boolean remove(String id) {
    Entry entry = kept.remove(id);
    if (entry == null) {
      return false;
    }
    forget(entry);
    return true;
  }
}
