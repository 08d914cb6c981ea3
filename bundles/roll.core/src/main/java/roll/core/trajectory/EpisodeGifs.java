package roll.core.trajectory;

import java.awt.image.BufferedImage;
import java.awt.image.RenderedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import roll.api.option.UserException;
import roll.core.output.FolderTree;
import roll.core.output.IoReason;
import roll.runtime.config.RunConfig;

/** Writes episodes as animated GIFs. */
public final class EpisodeGifs {
  private static final int HUNDREDTHS_A_FRAME = 60;
  private static final int HUNDREDTHS_AT_THE_END = 180;

  private EpisodeGifs() {}

  /**
   * Renders the episodes of {@code run} after {@code step} complete steps as GIFs, if the run saves
   * them.
   *
   * @throws UserException if the folder that {@code render_save_dir} names cannot be written
   */
  public static void write(RunConfig run, int step, Map<String, List<BufferedImage>> episodes)
      throws IOException {
    Path folder = run.frames(step);
    try {
      write(folder, episodes);
    } catch (IOException e) {
      if (run.places().frames() == null) {
        throw e;
      }
      throw new UserException(
          "render_save_dir: " + folder + " cannot be written (" + IoReason.of(e) + ")", e);
    }
  }

  /** Replaces the GIFs in {@code folder} by one per episode, named after the episode. */
  static void write(Path folder, Map<String, List<BufferedImage>> episodes) throws IOException {
    if (Files.isSymbolicLink(folder)) {
      Files.delete(folder); // a link that leads out of the folder
    }
    Files.createDirectories(folder);
    try (DirectoryStream<Path> earlier = Files.newDirectoryStream(folder, "*.gif")) {
      for (Path gif : earlier) {
        FolderTree.delete(gif);
      }
    }
    for (var episode : episodes.entrySet()) {
      gif(folder.resolve(episode.getKey() + ".gif"), episode.getValue());
    }
  }

  private static void gif(Path file, List<BufferedImage> frames) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersBySuffix("gif").next();
    // a file that cannot be opened ImageIO would report with a stack trace of its own
    try (OutputStream bytes = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
        ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      writer.setOutput(out);
      writer.prepareWriteSequence(null);
      for (int i = 0; i < frames.size(); i++) {
        boolean last = i == frames.size() - 1;
        RenderedImage image = frames.get(i);
        IIOMetadata metadata =
            writer.getDefaultImageMetadata(
                ImageTypeSpecifier.createFromRenderedImage(image), writer.getDefaultWriteParam());
        describe(metadata, last ? HUNDREDTHS_AT_THE_END : HUNDREDTHS_A_FRAME);
        writer.writeToSequence(new IIOImage(image, null, metadata), writer.getDefaultWriteParam());
      }
      writer.endWriteSequence();
    } finally {
      writer.dispose();
    }
  }

  /** Sets how long the frame is shown and that the animation repeats for ever. */
  private static void describe(IIOMetadata metadata, int hundredths) throws IOException {
    String format = metadata.getNativeMetadataFormatName();
    IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
    IIOMetadataNode control = child(root, "GraphicControlExtension");
    control.setAttribute("disposalMethod", "none");
    control.setAttribute("userInputFlag", "FALSE");
    control.setAttribute("transparentColorFlag", "FALSE");
    control.setAttribute("delayTime", String.valueOf(hundredths));
    control.setAttribute("transparentColorIndex", "0");
    IIOMetadataNode repeat = new IIOMetadataNode("ApplicationExtension");
    repeat.setAttribute("applicationID", "NETSCAPE");
    repeat.setAttribute("authenticationCode", "2.0");
    repeat.setUserObject(new byte[] {1, 0, 0});
    child(root, "ApplicationExtensions").appendChild(repeat);
    metadata.setFromTree(format, root);
  }

  private static IIOMetadataNode child(IIOMetadataNode root, String name) {
    for (int i = 0; i < root.getLength(); i++) {
      if (root.item(i) instanceof IIOMetadataNode node && node.getNodeName().equals(name)) {
        return node;
      }
    }
    IIOMetadataNode node = new IIOMetadataNode(name);
    root.appendChild(node);
    return node;
  }
}
