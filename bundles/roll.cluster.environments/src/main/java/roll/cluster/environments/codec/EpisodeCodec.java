package roll.cluster.environments.codec;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import roll.api.data.Message;
import roll.api.data.Message.PlacedPicture;
import roll.api.env.Observation;
import roll.api.env.Start;
import roll.api.env.Step;
import roll.api.image.Picture;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;

/** What episodes take and give. */
public final class EpisodeCodec {
  private static final String PNG = "png";

  private EpisodeCodec() {}

  /** Writes all of it. */
  public static void write(ByteWriter out, Start start) {
    out.text(start.purpose())
        .int64(start.root())
        .int64(start.seed())
        .int64(start.position())
        .int32(start.groups())
        .int32(start.draw());
  }

  /** As {@link #write(ByteWriter, Start)} wrote it. */
  public static Start start(ByteReader in) {
    return new Start(in.text(), in.int64(), in.int64(), in.int64(), in.int32(), in.int32());
  }

  /** Writes all of it, metrics in their order. */
  public static void write(ByteWriter out, Step step) {
    out.text(step.observation())
        .float64(step.reward())
        .bool(step.terminated())
        .bool(step.truncated())
        .list(
            new ArrayList<>(step.metrics().entrySet()),
            (to, metric) -> to.text(metric.getKey()).float64(metric.getValue()));
  }

  /** As {@link #write(ByteWriter, Step)} wrote it. */
  public static Step step(ByteReader in) {
    String observation = in.text();
    double reward = in.float64();
    boolean terminated = in.bool();
    boolean truncated = in.bool();
    Map<String, Double> metrics = new LinkedHashMap<>();
    in.list(from -> Map.entry(from.text(), from.float64()))
        .forEach(metric -> metrics.put(metric.getKey(), metric.getValue()));
    return new Step(observation, reward, terminated, truncated, metrics);
  }

  /** Writes messages of text. */
  public static void write(ByteWriter out, List<Message> messages) {
    out.list(messages, (to, message) -> to.text(message.role()).text(message.content()));
  }

  /** As {@link #write(ByteWriter, List)} wrote it. */
  public static List<Message> messages(ByteReader in) {
    return in.list(from -> new Message(from.text(), from.text()));
  }

  /** Writes the text, the pictures as they are encoded, and what was said before. */
  public static void write(ByteWriter out, Observation seen) {
    out.text(seen.text())
        .list(
            seen.pictures(), (to, placed) -> to.int32(placed.at()).bytes(placed.picture().data()));
    write(out, seen.before());
  }

  /** As {@link #write(ByteWriter, Observation)} wrote it. */
  public static Observation observation(ByteReader in) {
    String text = in.text();
    List<PlacedPicture> pictures =
        in.list(from -> new PlacedPicture(from.int32(), Picture.of(from.bytes())));
    try {
      return new Observation(text, pictures, messages(in));
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The pixels, without loss. */
  public static void write(ByteWriter out, Optional<BufferedImage> picture) {
    out.optional(picture.orElse(null), (to, image) -> to.bytes(png(image)));
  }

  private static byte[] png(BufferedImage image) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(image, PNG, bytes)) {
        throw new IllegalArgumentException("a picture that is no PNG: " + image);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** As {@link #write(ByteWriter, Optional)} wrote it. */
  public static Optional<BufferedImage> picture(ByteReader in) {
    return Optional.ofNullable(in.optional(ByteReader::bytes)).map(EpisodeCodec::image);
  }

  private static BufferedImage image(byte[] png) {
    try {
      BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
      if (image == null) {
        throw new MalformedMessageException("a picture is no PNG");
      }
      return image;
    } catch (IOException e) {
      throw new MalformedMessageException("a picture is no PNG: " + e.getMessage(), e);
    }
  }
}
