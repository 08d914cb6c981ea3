package roll.bench.llamacpp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * A file with what llama.cpp's tools printed.
 *
 * @param file as the user wrote it
 * @param figures at least one
 */
public record LlamaOutput(String file, List<LlamaFigure> figures) {
  private static final int MOST_BYTES = 10_000_000;
  private static final int BYTE_ORDER_MARK = 0xFEFF;

  /**
   * Reads a file.
   *
   * @param word the file, after {@code f32=} or {@code bf16=} where its tables do not name the
   *     number format
   * @param folder that a relative name begins in
   * @throws UserException if it is none of the tools' output
   */
  public static LlamaOutput read(String word, Path folder) {
    LlamaFormat given = null;
    String file = word;
    for (LlamaFormat format : List.of(LlamaFormat.F32, LlamaFormat.BF16)) {
      if (word.startsWith(format.name() + "=")) {
        given = format;
        file = word.substring(format.name().length() + 1);
      }
    }
    LlamaPlace place = new LlamaPlace(file, 0);
    String text = text(bytes(folder, place), place);
    return new LlamaOutput(file, new LlamaScan(file, text, new LlamaLog(given)).figures());
  }

  private static byte[] bytes(Path folder, LlamaPlace place) {
    Path path = path(folder, place);
    if (path == null || !Files.exists(path)) {
      throw place.mistake("no such file", LlamaScan.EXPECTED);
    }
    if (!Files.isRegularFile(path)) {
      throw place.mistake(
          Files.isDirectory(path) ? "a folder" : "no regular file", LlamaScan.EXPECTED);
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw place.mistake("more than 10 MB", LlamaScan.EXPECTED);
      }
      return bytes;
    } catch (IOException e) {
      throw place.mistake(
          "an unreadable file (" + e.getClass().getSimpleName() + ")", LlamaScan.EXPECTED);
    }
  }

  private static @Nullable Path path(Path folder, LlamaPlace place) {
    try {
      return place.file().isEmpty() ? null : folder.resolve(place.file());
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static String text(byte[] bytes, LlamaPlace place) {
    int mark = bytes.length > 1 ? (bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF) : 0;
    if (mark == BYTE_ORDER_MARK || Short.reverseBytes((short) mark) == (short) BYTE_ORDER_MARK) {
      throw place.mistake("UTF-16", "text in UTF-8");
    }
    for (byte one : bytes) {
      if (one == 0) {
        throw place.mistake("a binary file", "text in UTF-8");
      }
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw place.mistake("another encoding", "text in UTF-8");
    }
  }
}
