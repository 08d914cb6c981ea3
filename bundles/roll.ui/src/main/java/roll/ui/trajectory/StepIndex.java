package roll.ui.trajectory;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileBytes;

/**
 * The offsets and the list entries of the lines of a trajectory file, read in one pass. Broken
 * lines are counted.
 */
final class StepIndex {
  /** A longer line counts as broken. */
  private static final int MAX_LINE = 32 << 20;

  /** Further lines are left out. */
  private static final int MAX_LINES = 200_000;

  private final Path file;
  private final List<EpisodeSummary> episodes = new ArrayList<>();
  private final List<Span> lines = new ArrayList<>();
  private final BitSet whole = new BitSet();
  private int broken;
  private int firstBroken;

  private StepIndex(Path file) {
    this.file = file;
  }

  /** The range of a line; a length of −1 is too long. */
  private record Span(long offset, int length) {}

  /** Reads {@code file} as a step index. */
  static StepIndex read(Path file) throws IOException {
    StepIndex index = new StepIndex(file);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long offset = 0;
    long begin = 0;
    byte[] piece = new byte[1 << 16];
    try (InputStream in =
        new BufferedInputStream(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), 1 << 16)) {
      for (int n = in.read(piece); n >= 0 && !index.full(); n = in.read(piece)) {
        int from = 0;
        for (int i = 0; i < n; i++) {
          if (piece[i] == '\n') {
            append(line, piece, from, i);
            index.add(line, begin, offset + i - begin);
            from = i + 1;
            begin = offset + from;
          }
        }
        append(line, piece, from, n);
        offset += n;
      }
    }
    if (offset > begin && !index.full()) {
      index.add(line, begin, offset - begin);
    }
    return index;
  }

  private static void append(ByteArrayOutputStream line, byte[] piece, int from, int to) {
    int room = MAX_LINE - line.size();
    line.write(piece, from, Math.min(to - from, Math.max(0, room)));
  }

  private boolean full() {
    return lines.size() >= MAX_LINES;
  }

  private void add(ByteArrayOutputStream line, long begin, long length) {
    boolean tooLong = length > MAX_LINE;
    lines.add(new Span(begin, tooLong ? -1 : (int) length));
    int number = lines.size() - 1;
    try {
      if (tooLong) {
        throw new IOException("too long");
      }
      EpisodeSummary episode = EpisodeLine.read(number, text(line.toByteArray()));
      if (episode != null) {
        episodes.add(episode);
        whole.set(number);
      }
    } catch (IOException e) {
      broken++;
      firstBroken = broken == 1 ? number : firstBroken;
    }
    line.reset();
  }

  private static String text(byte[] line) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
  }

  /** Returns the episodes with valid lines, in the order of the file. */
  List<EpisodeSummary> episodes() {
    return episodes;
  }

  /** Returns the number of broken lines. */
  int broken() {
    return broken;
  }

  /** Returns one line about broken lines; null where there are none. */
  @Nullable String notice() {
    String name = String.valueOf(file.getFileName());
    if (full()) {
      return "%s: only the first %,d lines are shown".formatted(name, lines.size());
    }
    return switch (broken) {
      case 0 -> null;
      case 1 -> "line %d of %s is broken".formatted(firstBroken + 1, name);
      default ->
          "%d lines of %s are broken, the first is line %d"
              .formatted(broken, name, firstBroken + 1);
    };
  }

  /**
   * Returns the unchanged line of an episode.
   *
   * @param index of its line; the result is null where it has no episode
   */
  @Nullable String line(int index) throws IOException {
    if (index < 0 || !whole.get(index)) {
      return null;
    }
    Span span = lines.get(index);
    ByteBuffer bytes = ByteBuffer.allocate(span.length());
    try (FileChannel in = FileBytes.open(file)) {
      while (bytes.hasRemaining()) {
        if (in.read(bytes, span.offset() + bytes.position()) < 0) {
          throw new IOException(file + " was truncated");
        }
      }
    }
    return text(bytes.array());
  }
}
