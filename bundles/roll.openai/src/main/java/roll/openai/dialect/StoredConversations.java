package roll.openai.dialect;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.openai.request.ChatMessages;

/** The latest conversations by the id of their last response, within a bound of memory. */
public final class StoredConversations {
  /** Maximum characters of text and bytes of pictures of all conversations together. */
  private static final long MOST = 256L << 20;

  private final Map<String, Entry> kept = new LinkedHashMap<>();
  private long size;

  private record Entry(ChatMessages conversation, long size) {}

  /** Keeps {@code conversation}, which ends with the response {@code id}; forgets the oldest. */
  public synchronized void put(String id, ChatMessages conversation) {
    Entry entry = new Entry(conversation, size(conversation));
    kept.put(id, entry);
    size += entry.size();
    while (size > MOST && kept.size() > 1) {
      Iterator<Entry> oldest = kept.values().iterator();
      size -= oldest.next().size();
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

  /** Returns the conversation that ends with the response {@code id}; null if it is unknown. */
  public synchronized @Nullable ChatMessages get(String id) {
    Entry entry = kept.get(id);
    return entry == null ? null : entry.conversation();
  }
}
