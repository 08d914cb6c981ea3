package roll.huggingface;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The bytes that each token of a vocabulary adds to a text, by the vocabulary's decoder. */
final class TokenBytes {
  private static final Pattern BYTE = Pattern.compile("<0x([0-9A-F]{2})>");

  private final byte[] @Nullable [] bytes;

  /** Reads the tokens of {@code vocabulary}. */
  TokenBytes(Vocabulary vocabulary) {
    JsonElement decoder = vocabulary.parts().getOrDefault("decoder", JsonNull.INSTANCE);
    boolean byteLevel = has(decoder, "ByteLevel");
    Map<Character, Byte> alphabet = byteLevel ? alphabet() : Map.of();
    boolean fallback = has(decoder, "ByteFallback");
    boolean spaces = fallback || has(decoder, "Metaspace");
    bytes = new byte[vocabulary.size()][];
    vocabulary
        .ids()
        .forEach(
            (text, id) -> {
              Matcher single = BYTE.matcher(text);
              if (vocabulary.special(id)) {
                bytes[id] = null;
              } else if (vocabulary.added(id)) {
                bytes[id] = text.getBytes(StandardCharsets.UTF_8);
              } else if (byteLevel) {
                bytes[id] = decoded(text, alphabet);
              } else if (fallback && single.matches()) {
                bytes[id] = new byte[] {(byte) Integer.parseInt(single.group(1), 16)};
              } else {
                String shown = spaces ? text.replace('\u2581', ' ') : text;
                bytes[id] = shown.getBytes(StandardCharsets.UTF_8);
              }
            });
  }

  /** Returns the bytes of {@code token}; null if it is special or no token. */
  byte @Nullable [] of(int token) {
    return token >= 0 && token < bytes.length ? bytes[token] : null;
  }

  private static boolean has(JsonElement decoder, String type) {
    return switch (decoder) {
      case JsonObject object ->
          TokenizerParts.text(object, "type").equals(type)
              || (object.get("decoders") instanceof JsonArray list
                  && list.asList().stream().anyMatch(one -> has(one, type)));
      default -> false;
    };
  }

  private static byte @Nullable [] decoded(String text, Map<Character, Byte> alphabet) {
    byte[] decoded = new byte[text.length()];
    for (int i = 0; i < decoded.length; i++) {
      Byte value = alphabet.get(text.charAt(i));
      if (value == null) {
        return null;
      }
      decoded[i] = value;
    }
    return decoded;
  }

  /** Returns the bytes by the characters of GPT-2: printable ones are themselves. */
  private static Map<Character, Byte> alphabet() {
    Map<Character, Byte> alphabet = new HashMap<>();
    char other = 256;
    for (int value = 0; value < 256; value++) {
      boolean printed = (value > 32 && value < 127) || (value > 160 && value != 173);
      alphabet.put(printed ? (char) value : other++, (byte) value);
    }
    return alphabet;
  }
}
