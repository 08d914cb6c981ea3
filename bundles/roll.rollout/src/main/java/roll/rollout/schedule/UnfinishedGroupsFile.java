package roll.rollout.schedule;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.runtime.pipeline.RolloutStream;

/**
 * The file {@link RolloutStream#UNFINISHED} of a checkpoint, compressed JSON: a line with the
 * pictures, each once, then a line per group. Numbers come back bit for bit.
 */
final class UnfinishedGroupsFile {
  private UnfinishedGroupsFile() {}

  private record Header(
      UnfinishedGroups.Shape shape,
      UnfinishedGroups.Position position,
      List<UnfinishedGroups.Entry> taken,
      Map<String, String> pictures) {}

  /** Writes {@code all} into {@code folder}, which need not exist. */
  static void write(UnfinishedGroups all, Path folder) throws IOException {
    Map<String, String> pictures = new TreeMap<>();
    Gson gson = gson(pictures);
    List<String> lines = all.groups().stream().map(gson::toJson).toList();
    Files.createDirectories(folder);
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(folder.resolve(RolloutStream.UNFINISHED))),
            StandardCharsets.UTF_8)) {
      Header header = new Header(all.shape(), all.position(), all.taken(), pictures);
      out.write(gson.toJson(header) + "\n");
      for (String line : lines) {
        out.write(line + "\n");
      }
    }
  }

  /**
   * Reads the groups of a checkpoint.
   *
   * @param folder folder of the environment role in the checkpoint
   * @throws UserException if the file cannot be read
   */
  static UnfinishedGroups read(Path folder) {
    Path file = folder.resolve(RolloutStream.UNFINISHED);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      Header header = line(gson(Map.of()), in.readLine(), Header.class);
      Gson gson = gson(header.pictures());
      List<UnfinishedGroups.Entry> groups = new ArrayList<>();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        groups.add(line(gson, line, UnfinishedGroups.Entry.class));
      }
      return new UnfinishedGroups(header.shape(), header.position(), groups, header.taken());
    } catch (IOException | RuntimeException e) {
      throw new UserException(
          "resume_from_checkpoint: " + file + " is damaged: " + e.getMessage(), e);
    }
  }

  private static <T> T line(Gson gson, @Nullable String line, Class<T> type) {
    @Nullable T value = gson.fromJson(line, type);
    return Objects.requireNonNull(value, "a line is empty");
  }

  /** Returns the format in which a picture is its digest, with its Base64 in {@code pictures}. */
  private static Gson gson(Map<String, String> pictures) {
    return new GsonBuilder()
        .disableHtmlEscaping()
        .serializeNulls()
        .serializeSpecialFloatingPointValues()
        .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
        .registerTypeAdapter(Picture.class, new ByDigest(pictures))
        .create();
  }

  private static final class ByDigest extends TypeAdapter<Picture> {
    private final Map<String, String> encoded;
    private final Map<String, Picture> read = new HashMap<>();

    ByDigest(Map<String, String> encoded) {
      this.encoded = encoded;
    }

    @Override
    public void write(JsonWriter out, @Nullable Picture value) throws IOException {
      Picture picture = Objects.requireNonNull(value);
      encoded.computeIfAbsent(
          picture.digest(), digest -> Base64.getEncoder().encodeToString(picture.data()));
      out.value(picture.digest());
    }

    @Override
    public Picture read(JsonReader in) throws IOException {
      String digest = in.nextString();
      String bytes = encoded.get(digest);
      if (bytes == null) {
        throw new JsonParseException("the picture " + digest + " is missing");
      }
      return read.computeIfAbsent(digest, name -> Picture.of(Base64.getDecoder().decode(bytes)));
    }
  }
}
